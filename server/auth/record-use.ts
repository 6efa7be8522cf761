import { isUnavailable } from '@/db/unavailable'

/** Records the use of a credential, unless the database accepts no changes: whoever uses it can still read. */
export async function recordUse(change: { execute(): Promise<unknown> }): Promise<void> {
  try {
    await change.execute()
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}
