import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { codePath, repositoryPath } from '@/app/_lib/paths'
import { caller, orAbsent } from '@/app/_lib/server'
import type { CodeKind, ShownRevision } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import { BranchState } from './branch-state'
import { MissingCode } from './missing-code'
import { RenamedNotice, renamedQuery } from './renamed-branch'

interface CodeStateProps {
  repository: Repository
  /** What the address of the page names. */
  asked: { owner: string; repo: string; kind: CodeKind; path: string }
  /** What is shown; undefined if it does not exist. */
  revision: ShownRevision | undefined
  section: 'src' | 'commits'
  children: ReactNode
}

/** Page about a revision, which says what is missing if it does not exist, and if its branch has moved or was renamed. */
export async function CodeState(props: CodeStateProps): Promise<ReactNode> {
  const { repository, asked, revision, section, children } = props
  const missing = revision
    ? undefined
    : ((await orAbsent((await caller()).code.pages.explainMissing(asked))) ?? {
        revision: null,
        path: asked.path,
        renamed: null,
      })
  if (missing?.renamed) {
    const { from, to: name, path } = missing.renamed
    redirect(codePath(repository, section, { kind: 'branch', name }, path) + (await renamedQuery(from)))
  }
  const shown = revision ?? missing?.revision
  const content = missing ? (
    <MissingCode repository={repository} kind={asked.kind} missing={missing} section={section} />
  ) : (
    children
  )
  if (shown ? shown.kind !== 'branch' : asked.kind !== 'branch') return content
  return (
    <>
      {shown ? <RenamedNotice repository={repository} branches={[shown.name]} /> : null}
      <BranchState
        branch={shown?.name ?? ''}
        commit={shown?.commit ?? null}
        home={repositoryPath(repository)}
      >
        {content}
      </BranchState>
    </>
  )
}
