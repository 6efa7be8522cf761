import type { ReactNode } from 'react'
import { SearchIcon } from '@/app/_components/icons'
import { SearchLauncher } from './search-launcher'
import styles from './search-launcher.module.css'
import type { Seeker } from './use-results'

/** Header button that opens search. */
export function SearchButton({ user }: { user: Seeker | undefined }): ReactNode {
  return (
    <SearchLauncher user={user}>
      <SearchIcon />
      <span className={styles.label}>Search</span>
      <kbd className={styles.key}>/</kbd>
    </SearchLauncher>
  )
}
