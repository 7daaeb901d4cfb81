import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.KeyStore;

// Prints a secret key of a JCEKS store as hexadecimal digits.
// Arguments: store, file with the store's password, alias, file with the key's password if it differs.
public class ExportKey {
  public static void main(String[] arguments) throws Exception {
    KeyStore store = KeyStore.getInstance("JCEKS");
    store.load(new FileInputStream(arguments[0]), password(arguments[1]));
    char[] password = password(arguments[arguments.length > 3 ? 3 : 1]);
    for (byte each : store.getKey(arguments[2], password).getEncoded()) {
      System.out.printf("%02x", each);
    }
    System.out.println();
  }

  private static char[] password(String path) throws Exception {
    return new String(Files.readAllBytes(Paths.get(path)), "UTF-8").trim().toCharArray();
  }
}
