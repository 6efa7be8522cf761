'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { LanguageShare } from '@/server/code/pages/schema'
import home from './home.module.css'
import styles from './languages.module.css'

interface LanguagesProps {
  repository: RepoPath
  /** ID of the commit that is shown. */
  commit: string
  /** Null if they are not known yet. They then arrive later. */
  languages: readonly LanguageShare[] | null
}

/** Languages of a repository, as a bar and a list with percentages. */
export function Languages({ repository, commit, languages }: LanguagesProps): ReactNode {
  const { data } = useQuery({
    queryKey: ['languages', repository, commit],
    queryFn: () => trpc.code.pages.showLanguages.query(repository),
    enabled: languages === null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const shares = languages ?? data ?? []
  if (shares.length === 0) return null
  return (
    <section className={home.part} aria-labelledby="languages">
      <h3 id="languages" className={home.heading}>
        Languages
      </h3>
      <div className={styles.bar} aria-hidden>
        {shares.map(({ name, color, percent }) => (
          <span key={name} style={{ ...fill(color), flexGrow: percent }} />
        ))}
      </div>
      <ul className={styles.list}>
        {shares.map(({ name, color, percent }) => (
          <li key={name}>
            <span className={styles.dot} style={fill(color)} aria-hidden />
            <strong>{name}</strong> <span className={styles.muted}>{percent.toFixed(1)}%</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const fill = (color: string | null): { background?: string } => (color ? { background: color } : {})
