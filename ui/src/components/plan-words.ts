// What a plan is called, and what it covers.
import type { Plan } from '../ipc';
import { valueWord } from './raw-value';

export function planTitle({ id, title }: Pick<Plan, 'id' | 'title'>): string {
  return title?.trim() ? title : id;
}

export function planKinds({ serviceType, protectionType }: Plan): string {
  return [serviceType, protectionType]
    .flatMap((kind) => (kind ? [valueWord(kind)] : []))
    .join(' · ');
}
