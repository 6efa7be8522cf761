'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { CommandLine } from '@/app/_components/command-line'
import { Banner } from '@/app/_components/primer'
import type { ExpiringToken } from '@/server/tokens/schema'
import styles from './tokens.module.css'

interface NewTokenBannerProps {
  token: ExpiringToken
  baseUrl: string
  onDismiss: () => void
}

/** The only sight of the secret there will ever be. */
export function NewTokenBanner({ token, baseUrl, onDismiss }: NewTokenBannerProps): ReactNode {
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
