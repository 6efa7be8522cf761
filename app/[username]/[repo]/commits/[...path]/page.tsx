import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { readCodeAddress } from '@/app/_features/code/address'
import { CodeState } from '@/app/_features/code/code-state'
import { CommitList } from '@/app/_features/code/commit-list'
import { commitStates, FollowChecks } from '@/app/_features/repos/follow-checks'
import { requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { codePath } from '@/app/_lib/paths'
import { caller, orAbsent, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface CommitsPageProps {
  params: Promise<{ username: string; repo: string; path: string[] }>
  searchParams: SearchParams
}

export const generateMetadata = (props: CommitsPageProps): Promise<Metadata> => titleOf(props, 'Commits')

/** Page of the commits of a branch, tag, or commit, or of those that changed a file or directory. */
export default async function CommitsPage({ params, searchParams }: CommitsPageProps): Promise<ReactNode> {
  const { path: segments } = await params
  const { repository } = await requireCode(params)
  const { kind, path } = readCodeAddress(segments)
  const asked = { owner: repository.owner.login, repo: repository.name, kind, path }
  const author = (await textParam(searchParams, 'author')).trim()
  const choice = { page: await pageParam(searchParams), author }
  const page = await orAbsent((await caller()).code.pages.showCommits({ ...asked, ...choice }))
  if (page && kind === 'any') redirect(codePath(repository, 'commits', page.revision, page.path))
  const states = await commitStates(repository, page?.commits.map(({ sha }) => sha) ?? [])
  return (
    <CodeState
      key={`${path}?${choice.page} ${author}`}
      repository={repository}
      asked={asked}
      revision={page?.revision}
      section="commits"
    >
      <FollowChecks repository={repository} />
      {page ? <CommitList repository={repository} page={page} author={author} states={states} /> : null}
    </CodeState>
  )
}
