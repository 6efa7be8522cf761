'use client'
import { Fragment, type ReactNode } from 'react'
import { FormControl, Select, TextInput } from '@/app/_components/primer'
import type { Parameter } from './description'

interface ParameterFieldProps {
  parameter: Parameter
  typeName: string
  value: string
  onValue: (value: string) => void
}

/** Input for a parameter of a request: a dropdown for booleans and enums, otherwise a text field. */
export function ParameterField({ parameter, typeName, value, onValue }: ParameterFieldProps): ReactNode {
  const { name, required = false, schema } = parameter
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  const about = [parameter.description ?? schema.description, `Sent in the ${parameter.in}: ${typeName}.`]
  return (
    <FormControl>
      <FormControl.Label>{required ? name : `${name} (optional)`}</FormControl.Label>
      {choices ? (
        <Select value={value} aria-required={required} onChange={event => onValue(event.target.value)}>
          <option value="">Not set</option>
          {choices
            .filter(choice => choice !== '')
            .map(choice => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
        </Select>
      ) : (
        <TextInput
          aria-required={required}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={event => onValue(event.target.value)}
        />
      )}
      <FormControl.Caption>{withCode(about.filter(Boolean).join(' '))}</FormControl.Caption>
    </FormControl>
  )
}

/** Renders the text between backticks as code. */
export function withCode(sentence: string): ReactNode {
  const parts = sentence.split('`').map((text, index) => ({ text, index }))
  return parts.map(({ text, index }) =>
    // Parts with an odd index were between two backticks.
    index % 2 === 1 ? <code key={index}>{text}</code> : <Fragment key={index}>{text}</Fragment>,
  )
}
