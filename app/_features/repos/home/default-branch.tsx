import { GitCommitIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { RelativeDate } from '@/app/_components/relative-date'
import { CommitId } from '@/app/_features/repos/refs/ref-rows'
import type { BranchTip } from '@/server/repos/schema'
import styles from './home.module.css'

/** Where the default branch stands. It may be chosen and not pushed yet. */
export function DefaultBranch({ name, tip }: { name: string; tip: BranchTip | null }): ReactNode {
  return (
    <section aria-labelledby="newest">
      <h2 id="newest" className={styles.heading}>
        Newest commit on <code className={styles.ref}>{name}</code>
      </h2>
      {tip ? (
        <div className={styles.commit}>
          <GitCommitIcon className={styles.icon} />
          <div className={styles.told}>
            <p className={styles.subject} dir="auto">
              {tip.summary}
            </p>
            <p className={styles.byline}>
              <span>{tip.author}</span>
              <RelativeDate value={tip.time} />
              <CommitId sha={tip.sha} />
            </p>
          </div>
        </div>
      ) : (
        <p className={styles.muted}>This branch was not pushed yet.</p>
      )}
    </section>
  )
}
