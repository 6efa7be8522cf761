'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { TextField } from '@/app/_components/fields'
import { Button } from '@/app/_components/primer'
import { messageFor } from '@/app/_lib/failure'
import { repositoryNameInUseQuery } from '@/app/_lib/queries/repositories'
import { useDebounced } from '@/app/_lib/use-debounced'
import { brokenRule, suggestedName } from './name-rules'

interface RepositoryNameFieldProps {
  field: UseFormRegisterReturn
  initial?: string
  /** Current text of the field. */
  value: string
  /** Beginning of the repository's URL, up to its name. */
  base: string
  /**
   * Account that will own the repository. If set, the field reports a name that this account already uses.
   */
  owner?: string
  /** Called when the viewer accepts the suggested replacement for an invalid name. */
  onUse?: (name: string) => void
  error: string | undefined
  autoFocus?: boolean
}

/**
 * Text field for a repository name. While the viewer types, it shows the resulting URL and the current error.
 */
export function RepositoryNameField(props: RepositoryNameFieldProps): ReactNode {
  const { field, initial, value, base, owner, onUse, error, ...input } = props
  const name = value.trim()
  const rule = name === '' ? undefined : brokenRule(name)
  const settled = useDebounced(name, 400)
  const { data: isInUse } = useQuery({
    ...repositoryNameInUseQuery(owner ?? '', settled),
    enabled: owner !== undefined && settled === name && name !== '' && rule === undefined,
  })
  const message =
    isInUse && settled === name ? messageFor({ code: 'nameTaken', what: 'repository', name }) : undefined
  const suggestion = rule && onUse ? suggestedName(name) : ''
  return (
    <div>
      <TextField
        {...field}
        {...input}
        {...(initial === undefined ? {} : { defaultValue: initial })}
        label="Repository name"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={error ?? rule ?? message}
        caption={
          <>
            URL:{' '}
            <code>
              {base}
              <strong>{name || '…'}</strong>
            </code>
          </>
        }
      />
      {suggestion ? (
        <Button size="small" variant="link" labelWrap onClick={() => onUse?.(suggestion)}>
          Use “{suggestion}”
        </Button>
      ) : null}
    </div>
  )
}
