import type { ReactNode } from 'react'
import { CommitId } from '@/app/_components/commit-id'
import { CommitMark } from '@/app/_components/commit-mark'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { commitStates, FollowChecks } from '@/app/_features/repos/follow-checks'
import { commitPath } from '@/app/_lib/paths'
import type { CommitLine } from '@/server/code/pages/schema'
import { Author, AuthorMark } from './author'
import styles from './code.module.css'

interface TipBarProps {
  repository: { id: number; full_name: string; owner: { login: string }; name: string }
  /** The last commit; null if it is not known yet. */
  tip: CommitLine | null
  /** Whether it has a frame of its own. */
  isAlone?: boolean
}

/** The last commit that changed what is shown, and whether its checks passed. */
export async function TipBar({ repository, tip, isAlone = false }: TipBarProps): Promise<ReactNode> {
  if (!tip) return null
  const states = await commitStates(repository, [tip.sha])
  return (
    <section className={isAlone ? `${styles.tip} ${styles.alone}` : styles.tip} aria-label="Latest commit">
      <FollowChecks repository={repository} />
      <AuthorMark line={tip} />
      <span className={styles.tipText}>
        <strong>
          <Author line={tip} />
        </strong>{' '}
        <QuietLink href={commitPath(repository, tip.sha)}>
          <bdi>{tip.summary || 'No message'}</bdi>
        </QuietLink>
      </span>
      <span className={styles.tipFacts}>
        <CommitMark repository={repository} sha={tip.sha} states={states} />
        <CommitId repository={repository} sha={tip.sha} copy />
        <RelativeDate value={tip.time} />
      </span>
    </section>
  )
}
