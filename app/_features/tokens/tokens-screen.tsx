'use client'
import { useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import { PlusIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { useAddForm } from '@/app/_lib/use-add-form'
import { isolated } from '@/app/_lib/visible-text'
import type { ExpiringToken } from '@/server/tokens/schema'
import { AddTokenForm } from './add-token-form'
import { forGit, presetIn, presetParams } from './scopes'
import { TokenList } from './token-list'
import styles from './tokens.module.css'

interface TokensScreenProps {
  username: string
  isAdmin: boolean
  baseUrl: string
}

export function TokensScreen({ username, isAdmin, baseUrl }: TokensScreenProps): ReactNode {
  const form = useAddForm(presetParams)
  const [made, setMade] = useState<{ token: ExpiringToken; repository: GitRepository | undefined }>()
  const search = useSearchParams()
  const repository = repositoryIn(search)

  const finish = (token: ExpiringToken): void => {
    setMade({ token, repository })
    form.hide()
  }

  return (
    <>
      <PageHeading
        title="Access tokens"
        actions={
          form.open ? null : (
            <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
              New token
            </Button>
          )
        }
      >
        Tokens let scripts and tools act as you, with the permissions you select.
      </PageHeading>
      {made ? (
        <NewTokenBanner
          {...made}
          username={username}
          baseUrl={baseUrl}
          onDismiss={() => setMade(undefined)}
        />
      ) : null}
      {form.open ? (
        <AddTokenForm
          username={username}
          isAdmin={isAdmin}
          preset={
            repository
              ? { name: `git for ${repository.name}`, permissions: forGit }
              : presetIn(search, isAdmin)
          }
          onMade={finish}
          onCancel={form.hide}
        />
      ) : null}
      <TokenList
        username={username}
        onDeleted={ids => {
          if (made && ids.includes(made.token.id)) setMade(undefined)
        }}
      />
    </>
  )
}

interface GitRepository {
  fullName: string
  name: string
}

/** Returns the repository that the page's query names as the one to create a token for. */
function repositoryIn(search: Pick<URLSearchParams, 'get'>): GitRepository | undefined {
  const [fullName, name] = /^[\w.-]{1,40}\/([\w.-]{1,100})$/.exec(search.get('git') ?? '') ?? []
  return fullName && name ? { fullName, name } : undefined
}

interface NewTokenBannerProps {
  token: ExpiringToken
  username: string
  repository: GitRepository | undefined
  baseUrl: string
  onDismiss: () => void
}

/** Shows the secret of a new token. It can't be shown again later. */
function NewTokenBanner(props: NewTokenBannerProps): ReactNode {
  const { token, username, repository, baseUrl, onDismiss } = props
  const canCall = token.scopes.some(scope => scope === 'all' || scope.endsWith(':user'))
  const canPush = token.scopes.some(scope => scope === 'all' || scope === 'write:repository')
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])

  return (
    <Banner
      ref={ref}
      tabIndex={-1}
      className={styles.banner}
      variant="success"
      title={`Copy the token “${isolated(token.name)}” now`}
      onDismiss={onDismiss}
      description={
        <div className={styles.body}>
          <p>You won’t be able to see it again.</p>
          <CommandLine command={token.sha1} what="token" />
          {canPush ? (
            <>
              <p>
                When Git asks, enter <strong>{username}</strong> as the username and paste the token as the
                password.
              </p>
              <CommandLine
                command={repository ? `git push -u ${baseUrl}/${repository.fullName}.git HEAD` : 'git push'}
              />
            </>
          ) : null}
          {repository ? (
            <p>
              <TextLink href={`/${repository.fullName}`} inline>
                Back to {repository.fullName}
              </TextLink>
            </p>
          ) : null}
          {canCall ? (
            <>
              <p>Try it in a terminal:</p>
              <CommandLine command={`curl -H "Authorization: token ${token.sha1}" ${baseUrl}/api/v1/user`} />
            </>
          ) : null}
        </div>
      }
    />
  )
}
