import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { CompareScreen } from '@/app/_features/code/compare-screen'
import { readDiffChoice } from '@/app/_features/code/diff-options'
import { RenamedNotice, renamedQuery } from '@/app/_features/code/renamed-branch'
import { MissingPage } from '@/app/_features/repos/missing-page'
import { requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { comparePath, repositoryPath } from '@/app/_lib/paths'
import { caller, orAbsent, type SearchParams } from '@/app/_lib/server'

interface ComparePageProps {
  params: Promise<{ username: string; repo: string; basehead: string[] }>
  searchParams: SearchParams
}

export const generateMetadata = (props: ComparePageProps): Promise<Metadata> => titleOf(props, 'Compare')

/** Page of a comparison of two revisions, `base...head`. */
export default async function ComparePage({ params, searchParams }: ComparePageProps): Promise<ReactNode> {
  const { basehead } = await params
  const { repository } = await requireCode(params)
  const { view, ...wanted } = readDiffChoice(await searchParams)
  const path = { owner: repository.owner.login, repo: repository.name }
  const page = await orAbsent(
    (await caller()).code.pages.showComparison({ ...path, basehead: basehead.join('/'), ...wanted }),
  )
  if (!page) {
    const renamed = await orAbsent(
      (await caller()).code.pages.findRenamedComparison({ ...path, basehead: basehead.join('/') }),
    )
    if (renamed) {
      const { base, head, isDirect, from } = renamed
      redirect(comparePath(repository, base, head, isDirect ? '..' : '...') + (await renamedQuery(from)))
    }
    return (
      <MissingPage
        title="One of these revisions doesn’t exist"
        instead={<ButtonLink href={repositoryPath(repository)}>Go to the default branch</ButtonLink>}
      >
        <p>An address of a comparison names two branches, tags, or commits, such as main...topic.</p>
      </MissingPage>
    )
  }
  return (
    <>
      <RenamedNotice repository={repository} branches={[page.base.name, page.head.name]} />
      <CompareScreen repository={repository} page={page} choice={{ view, ...wanted }} />
    </>
  )
}
