import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { repositoryPath } from '@/app/_lib/paths'
import { caller } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import { CodeOverview } from './code-overview'
import styles from './home.module.css'

/** How to get the code, where it stands, and what happened last. */
export async function FilledHome({ home }: { home: RepositoryHome }): Promise<ReactNode> {
  const { repository } = home
  const path = { owner: repository.owner.login, repo: repository.name }
  const { items, total } = await (await caller()).activity.ofRepository({ ...path, limit: 5 })
  const mayRead = repository.permissions.pull
  return (
    <>
      {mayRead ? <CloneBox repository={repository} /> : null}
      {mayRead ? <CodeOverview home={home} /> : null}
      <section aria-labelledby="activity">
        <h2 id="activity" className={styles.heading}>
          Latest activity
        </h2>
        <ActivityList items={items} empty="Nothing has happened here yet." />
        {total > items.length ? (
          <p className={styles.more}>
            <TextLink href={repositoryPath(repository, 'activity')}>All activity</TextLink>
          </p>
        ) : null}
      </section>
    </>
  )
}
