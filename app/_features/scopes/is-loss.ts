import { readFailure } from '@/app/_lib/failure'

/** Whether a query failed because its subject was deleted or the viewer can no longer manage it. */
export function isLoss(error: unknown): boolean {
  if (!error) return false
  const { kind, reason } = readFailure(error)
  return kind === 'notFound' || (kind === 'forbidden' && reason === undefined)
}
