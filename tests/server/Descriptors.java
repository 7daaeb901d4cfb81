import java.io.FileInputStream;
import java.util.*;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.*;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.*;

/**
 * Holds our messages of HDFS against those in Hadoop's jars.
 * Argument: a FileDescriptorSet of ours. A message X of ours is XProto there, an enumeration likewise; a field is the one with
 * its number. Status 1 when a name, type, label, default or packing differs, or a field is missing that Hadoop requires.
 */
public class Descriptors {
  static final List<FileDescriptor> HADOOP = List.of(
      org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.getDescriptor(),
      org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.getDescriptor(),
      org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.getDescriptor(),
      org.apache.hadoop.security.proto.SecurityProtos.getDescriptor(),
      org.apache.hadoop.hdfs.protocol.proto.AclProtos.getDescriptor(),
      org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.getDescriptor(),
      org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.getDescriptor(),
      org.apache.hadoop.hdfs.protocol.proto.ClientDatanodeProtocolProtos.getDescriptor(),
      org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.getDescriptor());
  static final Set<String> NEWER = Set.of("StorageType.NVDIMM"); // Of Hadoop 3.4.
  static final Map<String, Descriptor> MESSAGES = new HashMap<>();
  static final Map<String, EnumDescriptor> ENUMS = new HashMap<>();
  static int fields = 0, wrong = 0;

  public static void main(String[] args) throws Exception {
    for (FileDescriptor file : HADOOP) {
      file.getEnumTypes().forEach(e -> ENUMS.put(plain(e.getName()), e));
      file.getMessageTypes().forEach(Descriptors::know);
    }
    try (FileInputStream in = new FileInputStream(args[0])) {
      for (FileDescriptorProto file : FileDescriptorSet.parseFrom(in).getFileList()) {
        file.getMessageTypeList().forEach(Descriptors::compare);
        file.getEnumTypeList().forEach(Descriptors::compare);
      }
    }
    System.out.println(fields + " fields compared, " + wrong + " differ");
    System.exit(wrong == 0 && fields > 200 ? 0 : 1);
  }

  static void know(Descriptor message) {
    MESSAGES.put(plain(message.getName()), message);
    message.getEnumTypes().forEach(e -> ENUMS.put(plain(e.getName()), e));
    message.getNestedTypes().forEach(Descriptors::know);
  }

  static void compare(DescriptorProto ours) {
    Descriptor theirs = MESSAGES.get(ours.getName());
    if (theirs == null) {
      say(ours.getName(), "Hadoop has no such message");
      return;
    }
    Set<Integer> numbers = new HashSet<>();
    for (FieldDescriptorProto field : ours.getFieldList()) {
      numbers.add(field.getNumber());
      compare(ours.getName() + "." + field.getName(), field, theirs.findFieldByNumber(field.getNumber()));
    }
    for (FieldDescriptor field : theirs.getFields()) {
      if (field.isRequired() && !numbers.contains(field.getNumber())) say(ours.getName(), field.getName() + " is required");
    }
    ours.getEnumTypeList().forEach(Descriptors::compare);
  }

  static void compare(String name, FieldDescriptorProto ours, FieldDescriptor field) {
    fields++;
    if (field == null) {
      say(name, "Hadoop has no field " + ours.getNumber());
      return;
    }
    FieldDescriptorProto theirs = field.toProto();
    same(name, "name", letters(ours.getName()), letters(theirs.getName()));
    same(name, "type", ours.getType(), theirs.getType());
    same(name, "type's name", plain(ours.getTypeName()), plain(theirs.getTypeName()));
    same(name, "label", ours.getLabel(), theirs.getLabel());
    same(name, "default", ours.getDefaultValue(), theirs.getDefaultValue());
    same(name, "packing", ours.getOptions().getPacked(), theirs.getOptions().getPacked());
  }

  static void compare(EnumDescriptorProto ours) {
    EnumDescriptor theirs = ENUMS.get(ours.getName());
    if (theirs == null) {
      say(ours.getName(), "Hadoop has no such enumeration");
      return;
    }
    for (EnumValueDescriptorProto value : ours.getValueList()) {
      if (NEWER.contains(ours.getName() + "." + value.getName())) continue;
      fields++;
      EnumValueDescriptor other = theirs.findValueByNumber(value.getNumber());
      same(ours.getName() + "." + value.getName(), "value", value.getName(), other == null ? null : other.getName());
    }
  }

  static void same(String of, String what, Object ours, Object theirs) {
    if (!ours.equals(theirs)) say(of, what + ": ours " + ours + ", Hadoop's " + theirs);
  }
  static void say(String of, String what) {
    wrong++;
    System.out.println(of + ": " + what);
  }
  static String plain(String name) {
    String last = name.substring(name.lastIndexOf('.') + 1);
    return last.endsWith("Proto") ? last.substring(0, last.length() - "Proto".length()) : last;
  }
  static String letters(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }
}
