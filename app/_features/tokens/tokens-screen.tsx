'use client'
import { PlusIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { useAddForm } from '@/app/_lib/use-add-form'
import type { ExpiringToken } from '@/server/tokens/schema'
import { AddTokenForm } from './add-token-form'
import { NewTokenBanner } from './new-token-banner'
import { TokenList } from './token-list'

interface TokensScreenProps {
  username: string
  isAdmin: boolean
  page: number
  baseUrl: string
}

export function TokensScreen({ username, isAdmin, page, baseUrl }: TokensScreenProps): ReactNode {
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
      <TokenList username={username} page={page} onGone={id => id === made?.id && setMade(undefined)} />
    </>
  )
}
