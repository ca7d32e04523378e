/** What remit makes holds money and names: folders and files are their owner's alone. Windows has no such bits. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
