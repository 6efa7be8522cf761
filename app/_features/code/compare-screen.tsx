import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { EmptyState } from '@/app/_components/empty-state'
import { ArrowRightIcon, GitCommitIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { counted } from '@/app/_lib/format'
import { codePath, comparePath } from '@/app/_lib/paths'
import type { Diff } from '@/server/code/diff/schema'
import type { ComparePage, ShownRevision } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import styles from './code.module.css'
import { ComparedCommits } from './compared-commits'
import { DiffView } from './diff/diff-view'
import { diffLinks } from './diff-links'
import { type DiffChoice, DiffOptions } from './diff-options'

interface CompareScreenProps {
  repository: Repository
  page: ComparePage & { diff: Diff }
  choice: DiffChoice & { files: readonly string[] }
}

/** A comparison of two revisions: the commits that one has in addition, and what they changed. */
export function CompareScreen({ repository, page, choice }: CompareScreenProps): ReactNode {
  const { base, head, isDirect, isUnrelated, total, behind, commits, diff } = page
  const dots = isDirect ? '..' : '...'
  const path = comparePath(repository, base.name, head.name, dots)
  return (
    <>
      <h1 className={styles.commitTitle}>Compare</h1>
      <div className={styles.compared}>
        <RevisionLink repository={repository} revision={base} />
        <ArrowRightIcon aria-label="to" />
        <RevisionLink repository={repository} revision={head} />
        <span className={styles.muted}>
          {counted(total, 'commit', 'commits')} ahead, {behind.toLocaleString('en-US')} behind
        </span>
        <QuietLink href={comparePath(repository, head.name, base.name, dots)}>Swap</QuietLink>
        <QuietLink href={comparePath(repository, base.name, head.name, isDirect ? '...' : '..')}>
          {isDirect ? 'Compare from the merge base' : 'Compare directly'}
        </QuietLink>
      </div>
      {isUnrelated ? (
        <Banner
          className={styles.notice}
          variant="warning"
          title="These histories have nothing in common"
          description="Both revisions are compared as they are."
        />
      ) : null}
      {total === 0 ? (
        <EmptyState icon={GitCommitIcon} title="Nothing to compare">
          <p>The first revision has every commit of the second one.</p>
        </EmptyState>
      ) : (
        <ol className={styles.box} aria-label="Commits">
          <ComparedCommits repository={{ full_name: repository.full_name }} commits={commits} />
          {total > commits.length ? (
            <li className={styles.commit}>
              <QuietLink href={codePath(repository, 'commits', head)}>
                All {total.toLocaleString('en-US')} commits
              </QuietLink>
            </li>
          ) : null}
        </ol>
      )}
      <DiffOptions base={path} choice={choice} text={path} />
      <DiffView diff={diff} view={choice.view} links={diffLinks({ repository, base: path, choice, head })} />
    </>
  )
}

function RevisionLink({
  repository,
  revision,
}: {
  repository: Repository
  revision: ShownRevision
}): ReactNode {
  const { kind, name } = revision
  return (
    <QuietLink href={codePath(repository, 'src', revision)}>
      <code className={styles.revision}>
        <bdi>{kind === 'commit' ? name.slice(0, 10) : name}</bdi>
      </code>
    </QuietLink>
  )
}
