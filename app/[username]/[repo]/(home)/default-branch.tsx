import { GitCommitIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { RelativeDate } from '@/app/_components/relative-date'
import { caller } from '@/app/_lib/server'
import { firstLine } from '@/app/_repos/first-line'
import { CommitId } from '@/app/_repos/refs/commit-id'
import type { Repository } from '@/server/repos/schema'
import styles from './home.module.css'

/** Where the default branch stands. */
export async function DefaultBranch({ repository }: { repository: Repository }): Promise<ReactNode> {
  const { owner, name, default_branch: branch } = repository
  const { branches } = (await caller()).repos
  const path = { owner: owner.login, repo: name, branch: encodeURIComponent(branch) }
  // It may be chosen and not pushed yet.
  const [found] = await Promise.allSettled([branches.get(path)])
  const commit = found.status === 'fulfilled' ? found.value.commit : undefined
  return (
    <section aria-labelledby="newest">
      <h2 id="newest" className={styles.heading}>
        Newest commit on <code className={styles.ref}>{branch}</code>
      </h2>
      {commit ? (
        <div className={styles.commit}>
          <GitCommitIcon className={styles.icon} />
          <div className={styles.told}>
            <p className={styles.subject}>{firstLine(commit.message)}</p>
            <p className={styles.byline}>
              <span>{commit.author.name}</span>
              <RelativeDate value={commit.timestamp} />
              <CommitId sha={commit.id} />
            </p>
          </div>
        </div>
      ) : (
        <p className={styles.muted}>This branch was not pushed yet.</p>
      )}
    </section>
  )
}
