'use client'
import { PlusIcon } from '@primer/octicons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { useAddForm } from '@/app/_lib/use-add-form'
import type { ExpiringToken } from '@/server/tokens/schema'
import { AddTokenForm } from './add-token-form'
import { TokenList } from './token-list'
import styles from './tokens.module.css'

interface TokensScreenProps {
  username: string
  isAdmin: boolean
  baseUrl: string
}

export function TokensScreen({ username, isAdmin, baseUrl }: TokensScreenProps): ReactNode {
  const form = useAddForm()
  const [made, setMade] = useState<ExpiringToken>()

  const finish = (token: ExpiringToken): void => {
    setMade(token)
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
        A token lets a program use the API as you, within the permissions you choose.
      </PageHeading>
      {made ? <NewTokenBanner token={made} baseUrl={baseUrl} onDismiss={() => setMade(undefined)} /> : null}
      {form.open ? (
        <AddTokenForm username={username} isAdmin={isAdmin} onMade={finish} onCancel={form.hide} />
      ) : null}
      <TokenList
        username={username}
        onGone={ids => {
          if (made && ids.includes(made.id)) setMade(undefined)
        }}
      />
    </>
  )
}

interface NewTokenBannerProps {
  token: ExpiringToken
  baseUrl: string
  onDismiss: () => void
}

/** The only sight of the secret there will ever be. */
function NewTokenBanner({ token, baseUrl, onDismiss }: NewTokenBannerProps): ReactNode {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])

  return (
    <Banner
      ref={ref}
      tabIndex={-1}
      className={styles.banner}
      variant="success"
      title={`Copy the token “${token.name}” now`}
      onDismiss={onDismiss}
      description={
        <div className={styles.body}>
          <p>It is shown only this once. If you lose it, revoke it and make a new one.</p>
          <CommandLine command={token.sha1} what="token" />
          <p>Try it in a terminal:</p>
          <CommandLine command={`curl -H "Authorization: token ${token.sha1}" ${baseUrl}/api/v1/user`} />
        </div>
      }
    />
  )
}
