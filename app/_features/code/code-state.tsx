import type { ReactNode } from 'react'
import { repositoryPath } from '@/app/_lib/paths'
import { caller, orAbsent } from '@/app/_lib/server'
import type { CodeKind, ShownRevision } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import { BranchState } from './branch-state'
import { MissingCode } from './missing-code'

interface CodeStateProps {
  repository: Repository
  /** What the address of the page names. */
  asked: { owner: string; repo: string; kind: CodeKind; path: string }
  /** What is shown; undefined if it does not exist. */
  revision: ShownRevision | undefined
  section: 'src' | 'commits'
  children: ReactNode
}

/** Page about a revision, which says what is missing if it does not exist, and if its branch has moved. */
export async function CodeState(props: CodeStateProps): Promise<ReactNode> {
  const { repository, asked, revision, section, children } = props
  const missing = revision
    ? undefined
    : ((await orAbsent((await caller()).code.pages.explainMissing(asked))) ?? {
        revision: null,
        path: asked.path,
      })
  const shown = revision ?? missing?.revision
  const content = missing ? (
    <MissingCode repository={repository} kind={asked.kind} missing={missing} section={section} />
  ) : (
    children
  )
  if (shown ? shown.kind !== 'branch' : asked.kind !== 'branch') return content
  return (
    <BranchState branch={shown?.name ?? ''} commit={shown?.commit ?? null} home={repositoryPath(repository)}>
      {content}
    </BranchState>
  )
}
