import { LockIcon, RepoIcon, RepoTemplateIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { RepositoryLabels } from '@/app/_components/repository-name'
import { repositoryPath } from '@/app/_lib/paths'
import type { Repository } from '@/server/repos/schema'
import styles from './repository.module.css'

export function RepositoryHeader({ repository }: { repository: Repository }): ReactNode {
  const { owner, name, template } = repository
  const Visual = template ? RepoTemplateIcon : repository.private ? LockIcon : RepoIcon
  return (
    <div className={styles.header}>
      <div className={styles.name}>
        <Visual size={20} className={styles.icon} />
        <h1 className={styles.title}>
          <TextLink href={`/${owner.login}`}>{owner.login}</TextLink>
          <span className={styles.slash}>/</span>
          <strong>
            <TextLink href={repositoryPath(repository)}>{name}</TextLink>
          </strong>
        </h1>
      </div>
      <span className={styles.labels}>
        <RepositoryLabels repository={repository} />
      </span>
    </div>
  )
}
