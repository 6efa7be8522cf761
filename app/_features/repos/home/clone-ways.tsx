'use client'
import { type ReactNode, useState } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { TextLink } from '@/app/_components/links'
import { cloneCommand, pushCommands, startCommands } from '@/app/_features/repos/git-commands'
import type { Repository } from '@/server/repos/schema'
import { type CloneWay, rememberCloneWay } from './clone-way'
import styles from './home.module.css'

interface CloneWaysProps {
  repository: Pick<
    Repository,
    'name' | 'full_name' | 'clone_url' | 'ssh_url' | 'default_branch' | 'object_format_name'
  >
  remembered: CloneWay
  /** The viewer's username; undefined for anonymous visitors. */
  me: string | undefined
  /** Whether the viewer has an unexpired SSH key. */
  hasKey: boolean
  start: boolean
}

/** Shows the commands for the selected protocol. The browser remembers the selection for all repositories. */
export function CloneWays({ repository, remembered, me, hasKey, start }: CloneWaysProps): ReactNode {
  const { clone_url, ssh_url } = repository
  const [selected, setSelected] = useState(remembered)
  const way = ssh_url === '' ? 'https' : selected
  const address = way === 'ssh' ? ssh_url : clone_url
  const select = (next: CloneWay): void => {
    setSelected(next)
    rememberCloneWay(next)
  }
  return (
    <>
      <section aria-labelledby="clone">
        <div className={styles.cloneHead}>
          <h2 id="clone" className={styles.heading}>
            Clone
          </h2>
          {ssh_url === '' ? null : <WaySwitch way={way} clone_url={clone_url} onSelect={select} />}
        </div>
        <div className={styles.commands}>
          <CommandLine command={address} what="clone URL" />
          <CommandLine command={cloneCommand(address)} what="clone command" />
          {way === 'ssh' ? <SshHint isSignedIn={me !== undefined} hasKey={hasKey} /> : null}
        </div>
      </section>
      {start ? (
        <>
          <section aria-labelledby="start">
            <h2 id="start" className={styles.heading}>
              Create a new repository on the command line
            </h2>
            <CommandLine command={startCommands(address, repository)} what="commands for a new repository" />
          </section>
          <section aria-labelledby="push">
            <h2 id="push" className={styles.heading}>
              Push an existing repository from the command line
            </h2>
            <CommandLine
              command={pushCommands(address, repository)}
              what="commands for an existing repository"
            />
          </section>
          {way === 'https' && me ? <TokenHint me={me} repository={repository.full_name} /> : null}
        </>
      ) : null}
    </>
  )
}

interface WaySwitchProps {
  way: CloneWay
  clone_url: string
  onSelect: (way: CloneWay) => void
}

function WaySwitch({ way, clone_url, onSelect }: WaySwitchProps): ReactNode {
  const labels: Record<CloneWay, string> = {
    https: clone_url.startsWith('https:') ? 'HTTPS' : 'HTTP',
    ssh: 'SSH',
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own
    <div role="group" aria-label="Clone protocol" className={styles.switch}>
      {(['https', 'ssh'] as const).map(each => (
        <button
          key={each}
          type="button"
          className={styles.way}
          aria-pressed={each === way}
          onClick={() => onSelect(each)}
        >
          {labels[each]}
        </button>
      ))}
    </div>
  )
}

function SshHint({ isSignedIn, hasKey }: { isSignedIn: boolean; hasKey: boolean }): ReactNode {
  return (
    <p className={styles.muted}>
      {hasKey ? null : isSignedIn ? (
        <>
          You don’t have an active SSH key.{' '}
          <TextLink href="/user/settings/keys?add=1" inline>
            Add an SSH key
          </TextLink>{' '}
          to use SSH.{' '}
        </>
      ) : (
        'You need an account with an SSH key to clone over SSH. '
      )}
      The first time you connect, verify the{' '}
      <TextLink href="/-/ssh" inline>
        server’s fingerprint
      </TextLink>
      .
    </p>
  )
}

/** Explains what to enter when Git asks for a username and a password. */
function TokenHint({ me, repository }: { me: string; repository: string }): ReactNode {
  return (
    <p className={styles.muted}>
      When Git asks, enter <strong>{me}</strong> as the username and an access token as the password.{' '}
      <TextLink href={`/user/settings/tokens?add=1&git=${encodeURIComponent(repository)}`} inline>
        Create an access token
      </TextLink>
    </p>
  )
}
