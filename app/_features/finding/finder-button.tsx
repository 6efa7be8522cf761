import { SearchIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Finder } from './finder'
import styles from './finder.module.css'
import type { Seeker } from './use-results'

/** The button of the header that finds places. */
export function FinderButton({ user }: { user: Seeker | undefined }): ReactNode {
  return (
    <Finder user={user}>
      <SearchIcon />
      <span className={styles.word}>Find</span>
      <kbd className={styles.key}>/</kbd>
    </Finder>
  )
}
