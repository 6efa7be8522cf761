import { readFailure } from './failure'
import { toast } from './toast'
import { trpc } from './trpc'

/** Ends the session, and leaves for a whole new page, so that nothing this person has read stays in memory. */
export async function signOut(): Promise<void> {
  try {
    await trpc.sessions.signOut.mutate()
    window.location.assign('/')
  } catch (error) {
    toast.error(readFailure(error).message)
  }
}
