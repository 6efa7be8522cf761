import { readFailure } from '@/app/_lib/failure'

/** Tells of a failed query whether what it reads was deleted, or may no longer be managed by the viewer. */
export function isLoss(error: unknown): boolean {
  if (!error) return false
  const { kind, reason } = readFailure(error)
  return kind === 'notFound' || (kind === 'forbidden' && reason === undefined)
}
