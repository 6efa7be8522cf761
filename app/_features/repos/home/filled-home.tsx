import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { repositoryPath } from '@/app/_lib/paths'
import type { ShownRepository } from '../read-repository'
import { CloneBox } from './clone-box'
import { CodeOverview } from './code-overview'
import styles from './home.module.css'

/** How to get the code, where it stands, and what happened last. */
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
        <ActivityList items={home.latest?.items ?? []} empty="Nothing has happened here yet." />
        {home.latest?.more ? (
          <p className={styles.more}>
            <TextLink href={repositoryPath(repository, 'activity')}>All activity</TextLink>
          </p>
        ) : null}
      </section>
    </>
  )
}
