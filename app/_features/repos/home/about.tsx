import type { ReactNode } from 'react'
import { DatabaseIcon, GitBranchIcon, LinkIcon, ShieldLockIcon, TagIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { counted, formatSize } from '@/app/_lib/format'
import { repositoryPath } from '@/app/_lib/paths'
import type { RepositoryHome } from '@/server/repos/schema'
import styles from './home.module.css'

interface AboutProps {
  home: RepositoryHome
  /** The viewer's username; undefined for anonymous visitors. */
  me: string | undefined
}

export function About({
  home: { repository, branches, tags, may_push: mayPush },
  me,
}: AboutProps): ReactNode {
  const { description, website, size, permissions } = repository
  return (
    <aside className={styles.about} aria-labelledby="about">
      <h2 id="about" className={styles.heading}>
        About
      </h2>
      <p className={description ? styles.description : styles.muted}>
        <bdi>{description || 'No description.'}</bdi>
      </p>
      <ul className={styles.facts}>
        {website ? (
          <li>
            <LinkIcon />
            <a href={website} rel="noopener nofollow" className={styles.link}>
              {website}
            </a>
          </li>
        ) : null}
        {permissions.pull ? (
          <>
            <li>
              <GitBranchIcon />
              <TextLink href={repositoryPath(repository, 'branches')}>
                {counted(branches, 'branch', 'branches')}
              </TextLink>
            </li>
            <li>
              <TagIcon />
              <TextLink href={repositoryPath(repository, 'tags')}>
                {tags === null ? 'Tags' : counted(tags, 'tag', 'tags')}
              </TextLink>
            </li>
          </>
        ) : null}
        <li>
          <DatabaseIcon />
          {formatSize(size)}
        </li>
        {me ? (
          <li>
            <ShieldLockIcon />
            <span>
              You {mayPush ? 'can push' : 'can’t push'}.{' '}
              <TextLink href={`${repositoryPath(repository)}?why=${encodeURIComponent(me)}`} inline>
                Your access
              </TextLink>
            </span>
          </li>
        ) : null}
      </ul>
      <p className={styles.muted}>
        Created <RelativeDate value={repository.created_at} />
      </p>
    </aside>
  )
}
