import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { TextLink } from '@/app/_components/links'
import { pushCommands, startCommands } from '@/app/_features/repos/git-commands'
import { currentSession } from '@/app/_lib/server'
import type { RepositoryHome } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import styles from './home.module.css'

/** The home page of an empty repository: how to begin, for those who may push. */
export async function EmptyHome({
  home: { repository, may_push: mayPush },
}: {
  home: RepositoryHome
}): Promise<ReactNode> {
  const me = (await currentSession())?.user.login
  return (
    <>
      <p className={styles.lead}>This repository is empty.</p>
      <CloneBox repository={repository} />
      {mayPush && me ? (
        <>
          <section aria-labelledby="start">
            <h2 id="start" className={styles.heading}>
              Start a new repository on the command line
            </h2>
            <CommandLine command={startCommands(repository)} what="commands for a new repository" />
          </section>
          <section aria-labelledby="push">
            <h2 id="push" className={styles.heading}>
              Push an existing repository
            </h2>
            <CommandLine command={pushCommands(repository)} what="commands for an existing repository" />
          </section>
          <TokenHint me={me} />
        </>
      ) : null}
    </>
  )
}

/** What to type when git asks for a name and a password. */
function TokenHint({ me }: { me: string }): ReactNode {
  return (
    <p className={styles.muted}>
      Git asks who you are: answer <strong>{me}</strong>, and use an access token as the password.{' '}
      <TextLink href="/user/settings/tokens?add=1" inline>
        Make an access token
      </TextLink>
    </p>
  )
}
