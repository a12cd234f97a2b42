import { commands, type ProductRecord } from '.';
import { plainCode } from '../format/plain';

/** The first known products that contain a text, by reference. */
export const knownProducts = (text: string, limit: number) =>
  commands.productsList({ text, sort: 'referenceId', ascending: true, offset: 0, limit });

/** The product of a typed reference: known as it is written, else made plain. */
export async function typedProduct(
  typed: string,
): Promise<{ reference: string; known: ProductRecord | null }> {
  for (const reference of new Set([typed, plainCode(typed)])) {
    const known = await commands.productLastKnown(reference);
    if (known.status === 'ok' && known.data) return { reference, known: known.data };
  }
  return { reference: plainCode(typed), known: null };
}
