import 'server-only'
import { notFound } from 'next/navigation'
import { type RepositoryParams, requireCode } from '@/app/_features/repos/read-repository'
import { caller, requireSession } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'

interface CodeEdit {
  home: RepositoryHome
  /** Name that is suggested for a new branch. No branch has it. */
  newBranch: string
}

/** Returns what pages that change files show. People who cannot push get a "not found" page. */
export async function requireCodeEdit(params: RepositoryParams['params']): Promise<CodeEdit> {
  const home = await requireCode(params)
  const { user } = await requireSession()
  if (!home.may_push) notFound()
  const { owner, name: repo, empty } = home.repository
  const { names } = empty
    ? { names: [] }
    : await (await caller()).repos.branches.listNames({ owner: owner.login, repo })
  return { home, newBranch: freeName(`${user.login}-patch-`, new Set(names)) }
}

function freeName(start: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    if (!used.has(start + number)) return start + number
  }
}
