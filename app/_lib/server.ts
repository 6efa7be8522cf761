import 'server-only'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { ZodError } from 'zod'
import { pageCaller } from '@/server/api/trpc/page-caller'
import { isDomainError } from '@/server/kernel/errors'
import type { Organization } from '@/server/orgs/schema'
import { notFoundHere } from './current-path'

/** The procedures of the API called in this process; one caller for a whole page. */
export const caller = cache(pageCaller)

export const currentSession = cache(async () => (await caller()).sessions.current())
export const instanceStatus = cache(async () => (await caller()).instance.status())

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
 * of the input that it belongs in, such as `owner` or `repo`.
 */
export async function orMoved<T>(
  answer: Promise<T>,
  pathOf: (name: string, field: string) => string,
): Promise<T> {
  const [outcome] = await Promise.allSettled([answer])
  const cause = outcome.status === 'rejected' && outcome.reason instanceof Error && outcome.reason.cause
  if (isDomainError(cause) && cause.movedTo) redirect(pathOf(cause.movedTo.name, cause.field ?? ''))
  return await orNotFound(answer)
}
