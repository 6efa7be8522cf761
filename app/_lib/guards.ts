import 'server-only'
import { notFound, redirect } from 'next/navigation'
import type { CurrentSession } from '@/server/sessions/schema'
import { currentPath } from './current-path'
import { currentSession, instanceStatus } from './server'

const passwordPage = '/user/settings/password'

/** Until the first administrator exists there is one page only. */
export async function requireSetUp(): Promise<void> {
  if ((await instanceStatus()).needs_setup) redirect('/-/setup')
}

/** Who is signed in; everybody else is sent to sign in, or to change a password that must not stay. */
export async function requireSession(): Promise<CurrentSession> {
  await requireSetUp()
  const [session, path] = await Promise.all([currentSession(), currentPath()])
  if (!session) redirect(`/-/sign-in?next=${encodeURIComponent(path)}`)
  if (session.must_change_password && !path.startsWith(passwordPage)) redirect(passwordPage)
  return session
}

/** Others are told that the page does not exist, as they are told of any page that is not theirs. */
export async function requireAdmin(): Promise<CurrentSession> {
  const session = await requireSession()
  if (!session.user.is_admin) notFound()
  return session
}
