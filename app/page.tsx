import type { ReactNode } from 'react'
import { Dashboard } from '@/app/_features/dashboard/dashboard'
import { Welcome } from '@/app/_features/dashboard/welcome'
import {
  currentSession,
  instanceStatus,
  pageParam,
  requireSession,
  requireSetUp,
  type SearchParams,
  textParam,
} from './_lib/server'

export default async function StartPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSetUp()
  if (!(await currentSession())) return <Welcome registration={(await instanceStatus()).registration} />
  const { user } = await requireSession()
  const [q, page] = await Promise.all([textParam(searchParams, 'q'), pageParam(searchParams)])
  return <Dashboard user={user} q={q} page={page} />
}
