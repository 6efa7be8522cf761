import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { ActivityList } from '@/app/_features/activity/activity-list'
import type { ShownRepository } from '@/app/_features/repos/read-repository'
import { repositoryPath } from '@/app/_lib/paths'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

interface FilledHomeProps {
  home: ShownRepository
  /** The code of the default branch; absent if it has none, or for viewers who cannot read it. */
  children: ReactNode
}

/** Home page of a repository with content: its code and latest activity. */
export function FilledHome({ home, children }: FilledHomeProps): ReactNode {
  const { repository } = home
  const mayRead = repository.permissions.pull
  return (
    <>
      {children ? <div>{children}</div> : null}
      {mayRead && !children ? (
        <>
          <p className={styles.lead}>Nothing has been pushed to the default branch yet.</p>
          <CloneBox repository={repository} />
        </>
      ) : null}
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
