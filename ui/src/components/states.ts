// The colour of each state, and of a finding of a test. The texts are `state.*` and `leadState.*`.
import type { Finding, LeadState, SubmissionState } from '../ipc';
import type { Tone } from './Pill.svelte';

export const SUBMISSION_TONES: Record<SubmissionState, Tone> = {
  draft: 'waiting',
  queued: 'waiting',
  inFlight: 'waiting',
  held: 'waiting',
  unknown: 'waiting',
  accepted: 'waiting',
  confirmed: 'good',
  rejected: 'act',
  needsPerson: 'act',
  cancelled: 'neutral',
};

export const LEAD_TONES = {
  queued: 'waiting',
  inFlight: 'waiting',
  created: 'good',
  rejected: 'act',
  unknown: 'act',
  cancelled: 'neutral',
} satisfies Record<LeadState, Tone>;

export const FINDING_TONES: Record<Finding, Tone> = {
  good: 'good',
  bad: 'act',
  unclear: 'waiting',
};
