'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { ChoiceGroup, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { FormControl, Radio } from '@/app/_components/primer'
import { messageFor } from '@/app/_lib/failure'
import { nameObstacleQuery } from '@/app/_lib/queries/orgs'
import { useDebounced } from '@/app/_lib/use-debounced'
import { isDomainError } from '@/server/kernel/errors'
import { checkName } from '@/server/users/name'
import styles from './orgs.module.css'
import { visibilityLabels, visibilityOrder } from './visibility'

type OrgNameFieldProps = Omit<Parameters<typeof TextField>[0], 'label' | 'value' | 'ref'> & {
  label?: string
  value: string
  baseUrl: string
  /** The organization's current name, which is accepted although it is in use. */
  current?: string
  ref?: Ref<HTMLInputElement>
}

/**
 * Text field for an organization's name. Once the viewer pauses typing, it shows the resulting URL or what is
 * wrong with the name.
 */
export function OrgNameField({
  label = 'Name',
  value,
  baseUrl,
  current = '',
  error,
  ...input
}: OrgNameFieldProps): ReactNode {
  const name = useDebounced(value.trim(), 400)
  const isSettled = name !== '' && name === value.trim()
  const rule = isSettled ? nameProblem(name) : undefined
  const { data: obstacle } = useQuery({
    ...nameObstacleQuery(name),
    enabled: isSettled && rule === undefined && name.toLowerCase() !== current.toLowerCase(),
  })
  const problem = isSettled ? (rule ?? (obstacle ? messageFor(obstacle) : undefined)) : undefined
  return (
    <div>
      <TextField
        {...input}
        label={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={error ?? problem}
        caption="Use letters and numbers, optionally separated by single dashes, dots, or underscores."
      />
      <p role="status" className={`${form.hint} ${styles.address}`}>
        {isSettled && !problem ? (
          <>
            URL:{' '}
            <code>
              {baseUrl}/{name}
            </code>
          </>
        ) : null}
      </p>
    </div>
  )
}

/** Returns what is wrong with an organization's name; undefined if it is valid. */
function nameProblem(name: string): string | undefined {
  try {
    checkName(name)
    return undefined
  } catch (error) {
    if (!isDomainError(error) || !error.reason) throw error
    return messageFor(error.reason)
  }
}

interface VisibilityFieldProps {
  field: UseFormRegisterReturn
  value: string | undefined
}

export function VisibilityField({ field, value }: VisibilityFieldProps): ReactNode {
  return (
    <ChoiceGroup legend="Visibility">
      {visibilityOrder.map(visibility => (
        <FormControl key={visibility}>
          <Radio {...field} value={visibility} checked={visibility === value} />
          <FormControl.Label>{visibilityLabels[visibility].name}</FormControl.Label>
          <FormControl.Caption>{visibilityLabels[visibility].about}</FormControl.Caption>
        </FormControl>
      ))}
    </ChoiceGroup>
  )
}
