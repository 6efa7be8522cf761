import { readFailure } from './failure'
import { toast } from './toast'
import { trpc } from './trpc'

/** Signs out and loads a new page, so that nothing this person has read remains in memory. */
export async function signOut(): Promise<void> {
  try {
    await trpc.sessions.signOut.mutate()
    window.location.assign('/')
  } catch (error) {
    toast.error(readFailure(error).message)
  }
}
