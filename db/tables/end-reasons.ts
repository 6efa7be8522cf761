/**
 * Why a job ended without a report from its runner. `cancelled`: by a user. `runner_silent` and
 * `runner_deleted`: its runner stopped responding or was deleted. `too_long`: it exceeded its time limit.
 * `not_taken`: no runner took it in time. `secret_sealed`: a secret could not be decrypted. `condition`: its
 * condition was false. `needs`: jobs that it needs did not succeed. `evaluation`: an expression failed.
 * `fail_fast`: another job of its matrix failed. `replaced` and `superseded`: a newer run or job took its place
 * in a concurrency group, while it waited or ran. `deadlock`: its own run has the concurrency group.
 * `call`: the reusable workflow could not be called.
 */
export const endReasons = [
  'cancelled',
  'runner_silent',
  'runner_deleted',
  'too_long',
  'not_taken',
  'secret_sealed',
  'condition',
  'needs',
  'evaluation',
  'fail_fast',
  'replaced',
  'superseded',
  'deadlock',
  'call',
] as const
export type EndReason = (typeof endReasons)[number]
