import 'server-only'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { caller, currentPath, orAbsent } from '@/app/_lib/server'
import { isolated } from '@/app/_lib/visible-text'
import styles from './branch-state.module.css'

const parameter = 'renamed'

/** Returns the query of the page that is being rendered, with the former name of the branch to which it redirects. */
export async function renamedQuery(from: string): Promise<string> {
  const query = await currentQuery()
  query.set(parameter, from)
  return `?${query}`
}

interface RenamedNoticeProps {
  repository: { owner: { login: string }; name: string }
  /** Names of the branches that the page shows. */
  branches: readonly string[]
}

/** Says that the page redirected from the former name of a branch. The address alone is not believed. */
export async function RenamedNotice({ repository, branches }: RenamedNoticeProps): Promise<ReactNode> {
  const from = (await currentQuery()).get(parameter)
  if (!from) return null
  const path = { owner: repository.owner.login, repo: repository.name }
  const { repos } = await caller()
  const now = await orAbsent(repos.branches.getPresentName({ ...path, branch: encodeURIComponent(from) }))
  if (!now || !branches.includes(now)) return null
  return (
    <Banner
      title={`The branch ${isolated(from)} was renamed to ${isolated(now)}`}
      className={styles.renamed}
    />
  )
}

async function currentQuery(): Promise<URLSearchParams> {
  const [, query = ''] = (await currentPath()).split('?', 2)
  return new URLSearchParams(query)
}
