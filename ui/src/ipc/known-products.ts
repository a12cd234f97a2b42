import { commands } from '.';

/** The first known products that contain a text, by reference. */
export const knownProducts = (text: string, limit: number) =>
  commands.productsList({ text, sort: 'referenceId', ascending: true, offset: 0, limit });
