import 'server-only'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { pageCaller } from '@/server/api/trpc/page-caller'

/** The same procedures the browser calls, without the wire; one caller for a whole page. */
export const caller = cache(pageCaller)

export const currentSession = cache(async () => (await caller()).sessions.current())
export const instanceStatus = cache(async () => (await caller()).instance.status())

/** Shows the not-found page where the procedure answers that there is nothing. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') notFound()
    throw error
  }
}
