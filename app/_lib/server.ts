import 'server-only'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { ZodError } from 'zod'
import { pageCaller } from '@/server/api/trpc/page-caller'
import { passwordPage } from '@/server/auth/acting-account'
import { isDomainError } from '@/server/kernel/errors'
import type { Organization } from '@/server/orgs/schema'
import type { CurrentSession } from '@/server/sessions/schema'
import { type ListChoice, type ListSpec, readListChoice } from './list-choice'
import { idIn, pathHeader } from './paths'

/** The procedures of the API called in this process; one caller for a whole page. */
export const caller = cache(pageCaller)

export const currentSession = cache(async () => (await caller()).sessions.getCurrent())
export const instanceStatus = cache(async () => (await caller()).instance.getStatus())
/** Where a page that is rendered now begins to be told what happens. */
export const liveCursor = cache(async () => (await caller()).live.getCursor())

/** The viewer's organizations; none for somebody who must change the password before anything else. */
export async function ownOrganizations(): Promise<Organization[]> {
  const session = await currentSession()
  if (!session || session.must_change_password) return []
  return (await (await caller()).orgs.listMemberships()).map(({ organization }) => organization)
}

/** Shows the not-found page where the procedure answers that there is nothing, or that there can be nothing. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (saysAbsent(error)) await notFoundHere()
    throw error
  }
}

// A page puts nothing but its address into the procedure: what that does not take is a name that nobody can have.
const saysAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'NOT_FOUND' || (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError))

/**
 * Leads on to where something is that was renamed; otherwise as `orNotFound`. The address is made of the new name and
 * of the input that it belongs in, such as `owner` or `repo`; `repo` is given where a new owner's repository may have
 * another name.
 */
export async function orMoved<T>(
  answer: Promise<T>,
  pathOf: (name: string, field: string, repo: string | undefined) => string,
): Promise<T> {
  const [outcome] = await Promise.allSettled([answer])
  const cause = outcome.status === 'rejected' && outcome.reason instanceof Error && outcome.reason.cause
  if (isDomainError(cause) && cause.movedTo) {
    const { name, repo } = cause.movedTo
    redirect(pathOf(name, cause.field ?? '', repo))
  }
  return await orNotFound(answer)
}

/** Path and query of the page being rendered. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(pathHeader) ?? '/'
}

const formerPage = /^\/(orgs|new|admin|sign-in|register|setup)(?=[/?]|$)/

/**
 * Shows the not-found page; or leads on, where the address is one that a page had before every word below `/` could
 * be somebody's name. An account of that name comes first, so nothing may be permanent about it.
 */
async function notFoundHere(): Promise<never> {
  const path = await currentPath()
  if (formerPage.test(path)) redirect(`/-${path}`)
  notFound()
}

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

export type SearchParams = Promise<Record<string, string | string[] | undefined>>

export async function textParam(params: SearchParams, name: string): Promise<string> {
  const value = (await params)[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** What the address chooses of a list. */
export async function listChoiceIn<S extends ListSpec>(
  params: SearchParams,
  spec: S,
): Promise<ListChoice<S>> {
  const resolved = await params
  return readListChoice(spec, name => [resolved[name]].flat()[0])
}

/** `?cursor=`, the id of an entry that a list goes on after; anything else is its start. */
export async function cursorParam(params: SearchParams): Promise<number | undefined> {
  return idIn(await textParam(params, 'cursor'))
}

/** `?page=`, from 1; anything else is the first page. */
export async function pageParam(params: SearchParams): Promise<number> {
  const page = Number(await textParam(params, 'page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
