import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { explorePath } from '@/app/_lib/paths'
import styles from './topics.module.css'

/** Topics of a repository, each of which leads to the repositories that have it. Renders nothing without topics. */
export function TopicList({ topics }: { topics: readonly string[] }): ReactNode {
  if (topics.length === 0) return null
  return (
    <ul className={styles.topics} aria-label="Topics">
      {topics.map(topic => (
        <li key={topic} className={styles.topic}>
          <QuietLink href={explorePath('repositories', '', topic)}>{topic}</QuietLink>
        </li>
      ))}
    </ul>
  )
}
