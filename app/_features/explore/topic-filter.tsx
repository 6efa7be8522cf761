import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { explorePath } from '@/app/_lib/paths'
import styles from './explore.module.css'

/** Says that only repositories with a topic are listed, and leads back to all of them. */
export function TopicFilter({ topic }: { topic: string }): ReactNode {
  return (
    <p className={styles.topic}>
      <span>
        Repositories with the topic <strong>{topic}</strong>
      </span>
      <ButtonLink href={explorePath('repositories')} size="small">
        Show all repositories
      </ButtonLink>
    </p>
  )
}
