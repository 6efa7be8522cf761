import { hashPassword } from '@/server/kernel/auth/password'
import { maxPasswordLength, minPasswordLength } from '@/server/kernel/auth/password-length'
import { invalid } from '@/server/kernel/errors'

/** Hashes a password an administrator sets. Throws invalid when it is too short or too long. */
export async function hashNewPassword(password: string): Promise<string> {
  if (password.length < minPasswordLength || password.length > maxPasswordLength) {
    throw invalid(`PasswordComplexity: use ${minPasswordLength} to ${maxPasswordLength} characters`, {
      field: 'password',
    })
  }
  return await hashPassword(password)
}
