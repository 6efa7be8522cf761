import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { cloneCommand } from '@/app/_features/repos/git-commands'
import type { Repository } from '@/server/repos/schema'
import styles from './home.module.css'

export function CloneBox({ repository }: { repository: Repository }): ReactNode {
  return (
    <section aria-labelledby="clone">
      <h2 id="clone" className={styles.heading}>
        Clone
      </h2>
      <div className={styles.commands}>
        <CommandLine command={repository.clone_url} what="clone address" />
        <CommandLine command={cloneCommand(repository)} what="clone command" />
      </div>
    </section>
  )
}
