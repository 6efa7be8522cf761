import { forbidden } from '@/server/kernel/errors'

/** @throws {DomainError} forbidden if the repository is archived. */
export function requireUnarchived({ archived_at }: { archived_at: Date | null }): void {
  if (!archived_at) return
  throw forbidden('This repository is archived. Unarchive it to run its workflows.')
}
