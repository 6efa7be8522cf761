import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { CommitScreen } from '@/app/_features/code/commit-screen'
import { readDiffChoice } from '@/app/_features/code/diff-options'
import { FollowChecks } from '@/app/_features/repos/follow-checks'
import { MissingPage } from '@/app/_features/repos/missing-page'
import { requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { repositoryPath } from '@/app/_lib/paths'
import { caller, orAbsent, orNotFound, type SearchParams } from '@/app/_lib/server'

interface CommitPageProps {
  params: Promise<{ username: string; repo: string; sha: string }>
  searchParams: SearchParams
}

export const generateMetadata = async (props: CommitPageProps): Promise<Metadata> =>
  titleOf(props, `Commit ${(await props.params).sha.slice(0, 10)}`)

// The most that one request returns; the others are counted.
const maxChecks = 50

/** Page of a commit. */
export default async function CommitPage({ params, searchParams }: CommitPageProps): Promise<ReactNode> {
  const { sha } = await params
  const { repository, may_push: mayPush } = await requireCode(params)
  const { view, ...wanted } = readDiffChoice(await searchParams)
  const path = { owner: repository.owner.login, repo: repository.name }
  const page = await orAbsent((await caller()).code.pages.showCommit({ ...path, sha, ...wanted }))
  if (!page) {
    return (
      <MissingPage
        title="No commit has this ID"
        instead={<ButtonLink href={repositoryPath(repository)}>Go to the default branch</ButtonLink>}
      >
        <p>This repository doesn’t contain it, or no longer does.</p>
      </MissingPage>
    )
  }
  const status = await orNotFound(
    (await caller()).statuses.getCombined({ ...path, ref: page.line.sha, limit: maxChecks }),
  )
  return (
    <>
      <FollowChecks repository={repository} />
      <CommitScreen
        repository={repository}
        page={page}
        status={status}
        mayPush={mayPush}
        choice={{ view, ...wanted }}
      />
    </>
  )
}
