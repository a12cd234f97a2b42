import { commands } from '.';
import { plainCode } from '../format/plain';

/** The first known products that contain a text, by reference. */
export const knownProducts = (text: string, limit: number) =>
  commands.productsList({ text, sort: 'referenceId', ascending: true, offset: 0, limit });

/** The reference that a typed one means: as it is written where that is known, else made plain. */
export async function meantReference(typed: string): Promise<string> {
  const known = await commands.productLastKnown(typed);
  return known.status === 'ok' && known.data ? typed : plainCode(typed);
}
