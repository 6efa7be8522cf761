import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import styles from './code.module.css'

/** How a diff is shown, as the URL says. */
export interface DiffChoice {
  view: 'unified' | 'split'
  ignoreWhitespace: boolean
}

interface DiffOptionsProps {
  /** Path of the page. */
  base: string
  choice: DiffChoice
  /** Path of the diff as text. */
  text: string
}

/** Links that switch how a diff is shown. */
export function DiffOptions({ base, choice, text }: DiffOptionsProps): ReactNode {
  const { view, ignoreWhitespace } = choice
  return (
    <nav aria-label="Options of the diff" className={styles.diffOptions}>
      <QuietLink href={hrefOf(base, { ...choice, view: view === 'split' ? 'unified' : 'split' })}>
        {view === 'split' ? 'Unified view' : 'Split view'}
      </QuietLink>
      <QuietLink href={hrefOf(base, { ...choice, ignoreWhitespace: !ignoreWhitespace })}>
        {ignoreWhitespace ? 'Show whitespace changes' : 'Hide whitespace changes'}
      </QuietLink>
      <a href={`${text}.diff`} className={styles.quiet}>
        Diff
      </a>
      <a href={`${text}.patch`} className={styles.quiet}>
        Patch
      </a>
    </nav>
  )
}

/** Returns the path of a diff's page with these options, and with only some files. */
export function hrefOf(base: string, choice: DiffChoice, files: readonly string[] = []): string {
  const query = new URLSearchParams({
    ...(choice.view === 'split' && { style: 'split' }),
    ...(choice.ignoreWhitespace && { whitespace: 'ignore-all' }),
  })
  for (const file of files) query.append('file', file)
  return query.size > 0 ? `${base}?${query}` : base
}

/** Reads the options from the query of a page, whose names are those of Gitea. */
export function readDiffChoice(
  query: Record<string, string | string[] | undefined>,
): DiffChoice & { files: string[] } {
  return {
    view: query.style === 'split' ? 'split' : 'unified',
    ignoreWhitespace: typeof query.whitespace === 'string' && query.whitespace.startsWith('ignore'),
    files: [query.file ?? []]
      .flat()
      .filter(file => file !== '')
      .slice(0, 2),
  }
}
