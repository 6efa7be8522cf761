export { formRoute as GET, formRoute as POST } from '@/server/api/forms/route'
