import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { GitCommitIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { ActivityList } from '@/app/_features/activity/activity-list'
import type { ShownRepository } from '@/app/_features/repos/read-repository'
import { BranchRow, CommitId } from '@/app/_features/repos/refs/ref-rows'
import { repositoryPath } from '@/app/_lib/paths'
import type { BranchTip } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

/** Home page of a repository with content: clone URL, latest commit, branches, and latest activity. */
export function FilledHome({ home }: { home: ShownRepository }): ReactNode {
  const { repository } = home
  const mayRead = repository.permissions.pull
  return (
    <>
      {mayRead ? <CloneBox repository={repository} /> : null}
      {mayRead ? <CodeOverview home={home} /> : null}
      <section aria-labelledby="activity">
        <h2 id="activity" className={styles.heading}>
          Latest activity
        </h2>
        <ActivityList items={home.latest?.items ?? []} empty="No activity yet." />
        {home.latest?.more ? (
          <p className={styles.more}>
            <TextLink href={repositoryPath(repository, 'activity')}>All activity</TextLink>
          </p>
        ) : null}
      </section>
    </>
  )
}

const maxShown = 5

/** Shows the latest commit on the default branch, and the most recently changed branches. */
function CodeOverview({ home: { repository, branches, tips } }: { home: ShownRepository }): ReactNode {
  if (!tips) return <p className={styles.muted}>Couldn’t load the branches. Reload the page to try again.</p>
  const { head, newest } = tips
  const rest = newest.filter(branch => branch.name !== head?.name)
  const shown = (head ? [head, ...rest] : rest).slice(0, maxShown)
  return (
    <>
      <DefaultBranch name={repository.default_branch} tip={head} />
      <div>
        <ListBox title="Branches" total={branches}>
          {shown.map(branch => (
            <BranchRow key={branch.name} branch={branch} isDefault={branch === head} />
          ))}
        </ListBox>
        {branches > shown.length ? (
          <p className={styles.more}>
            <TextLink href={repositoryPath(repository, 'branches')}>All branches</TextLink>
          </p>
        ) : null}
      </div>
    </>
  )
}

/** Shows the default branch's latest commit. `tip` is null if the branch has not been pushed yet. */
function DefaultBranch({ name, tip }: { name: string; tip: BranchTip | null }): ReactNode {
  return (
    <section aria-labelledby="newest">
      <h2 id="newest" className={styles.heading}>
        Latest commit on{' '}
        <bdi>
          <code className={styles.ref}>{name}</code>
        </bdi>
      </h2>
      {tip ? (
        <div className={styles.commit}>
          <GitCommitIcon className={styles.icon} />
          <div className={styles.newest}>
            <p className={styles.subject}>
              <bdi>{tip.summary}</bdi>
            </p>
            <p className={styles.byline}>
              <bdi>{tip.author}</bdi>
              <RelativeDate value={tip.time} />
              <CommitId sha={tip.sha} />
            </p>
          </div>
        </div>
      ) : (
        <p className={styles.muted}>Nothing has been pushed to this branch yet.</p>
      )}
    </section>
  )
}
